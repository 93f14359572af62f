"""Configurations of the published experiments, see scandl_eval.running.tasks."""
