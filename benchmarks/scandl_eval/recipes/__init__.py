"""Configurations of the published experiments, see scandl_eval.running.run_config."""
