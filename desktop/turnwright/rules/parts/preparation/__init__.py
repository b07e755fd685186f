"""Rules for preparing encounters: budgets, scaling, unknown ids."""
