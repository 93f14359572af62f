"""The network at work: on torch, on onnxruntime, and the export from one to the other."""
