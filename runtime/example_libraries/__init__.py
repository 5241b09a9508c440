"""`jax.example_libraries`: small libraries that tutorials build on."""
