"""Requests to the window that has a file open: answered, refused by silence, and those to a window that is gone."""

import os
import subprocess
import sys
import threading
import time

import pytest

from turnwright.workspace.locks import WindowRequests, ask_window, lock_name, pass_on_token, requests_folder


@pytest.fixture
def requests(tmp_path):
    return WindowRequests(tmp_path / "state")


@pytest.fixture
def file(tmp_path):
    return tmp_path / "ford.toml"


class Answering(threading.Thread):
    """Answers the first request to a window."""

    def __init__(self, requests):
        super().__init__(daemon=True)
        self.requests = requests
        self.token = None

    def run(self):
        while self.token is None:
            self.token = self.requests.take()
            time.sleep(0.01)


def test_a_window_that_has_the_file_answers_and_gets_the_token(tmp_path, requests, file, monkeypatch):
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "the click")
    requests.follow(file)
    window = Answering(requests)
    window.start()
    assert ask_window(tmp_path / "state", file, patience=60)
    window.join(5)
    assert window.token == "the click"
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN")
    pass_on_token("")
    assert "XDG_ACTIVATION_TOKEN" not in os.environ
    pass_on_token(window.token)
    assert os.environ.pop("XDG_ACTIVATION_TOKEN") == "the click"


def test_a_window_that_is_busy_does_not_answer_and_nothing_is_left(tmp_path, requests, file):
    requests.follow(file)
    assert not ask_window(tmp_path / "state", file, patience=0.1)
    assert [path.suffix for path in requests.folder.iterdir()] == [".window"]
    assert requests.take() is None


def test_nobody_is_asked_for_a_file_that_no_window_has(tmp_path, requests, file):
    assert not ask_window(tmp_path / "state", file)
    assert not requests.folder.exists()
    requests.follow(file)
    requests.follow(tmp_path / "other.toml")
    assert not ask_window(tmp_path / "state", file)
    requests.follow(None)
    assert list(requests.folder.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a process can't be looked for without harm")
def test_a_window_whose_process_is_gone_is_not_waited_for(tmp_path, requests, file):
    requests.follow(file)
    gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, check=True)
    (requests.folder / f"{lock_name(file)}.window").write_bytes(gone.stdout)
    assert not ask_window(tmp_path / "state", file, patience=1000)


def test_each_notation_of_a_path_asks_the_same_window(tmp_path, requests, file):
    requests.follow(tmp_path / "folder" / ".." / "ford.toml")
    Answering(requests).start()
    assert ask_window(tmp_path / "state", file, patience=60)


def test_a_folder_that_cannot_be_made_is_no_fault(tmp_path, file):
    (tmp_path / "state").write_text("")
    requests = WindowRequests(tmp_path / "state")
    requests.follow(file)
    assert requests.take() is None
    assert not ask_window(tmp_path / "state", file)
    assert requests_folder(tmp_path / "state") == requests.folder
