"""Rules of preparing: budgets, scaling, unknown ids."""
