/** Sources of a command's configuration. */
export interface ConfigFlags {
  flags: Record<string, unknown>
  file: string | undefined
}
