/** Scopes of tokens. */
export const tokenScopes = [
  'api',
  'read_user',
  'sudo',
  'read_repository',
  'write_repository',
] as const

export type TokenScope = (typeof tokenScopes)[number]

/** Whether a token with the scopes `granted` may make a call that needs any of `accepted`. */
export function hasScope(granted: readonly string[], accepted: readonly TokenScope[]): boolean {
  return accepted.some((scope) => granted.includes(scope))
}
