/** Maximum length of a CI configuration file, in characters. */
export const maxConfigurationLength = 1_048_576

/** Maximum number of values of a configuration, with each alias counted as what it stands for. */
export const maxConfigurationValues = 200_000

/** Maximum nesting of the values of a configuration. */
export const maxConfigurationDepth = 100

/** Maximum number of levels that a job extends. */
export const maxExtendsDepth = 10
