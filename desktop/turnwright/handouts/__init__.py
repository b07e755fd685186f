"""What is printed: pages filled from plain data by Typst templates that a person can read and change.

`packet` says what a printing is made of; each module of `kinds` turns records into the data of one kind of page; `press`
sets a packet in type. Templates stand in `resources/handouts/`, one file a kind, and in a folder of the person's own.
"""
