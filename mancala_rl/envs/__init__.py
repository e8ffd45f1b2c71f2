"""Environments: the same games behind the interfaces of PettingZoo, Gymnasium and Stable-Baselines3."""
