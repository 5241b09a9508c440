"""Arrays: concrete ones and what is known of others, their device, operators and promotion."""
