"""Operations on arrays, and the shapes and dtypes of their results."""
