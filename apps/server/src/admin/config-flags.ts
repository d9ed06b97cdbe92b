/** Where a command's configuration comes from. */
export interface ConfigFlags {
  flags: Record<string, unknown>
  file: string | undefined
}
