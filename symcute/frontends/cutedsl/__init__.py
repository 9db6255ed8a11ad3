"""CuTe DSL: the layouts of a traced module, held against our algebra and proved."""
