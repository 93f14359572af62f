"""The diffusion model in the paper's symbols: noise, denoiser, loss, samplers."""
