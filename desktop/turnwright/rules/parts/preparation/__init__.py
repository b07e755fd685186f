"""Rules of preparing: budgets, scaling, tables of translation."""
