/** Scopes of tokens (document 1, Authentication 6; catalogue: Scopes). */
export const tokenScopes = [
  'api',
  'read_user',
  'sudo',
  'read_repository',
  'write_repository',
] as const

export type TokenScope = (typeof tokenScopes)[number]

/** Whether a token with `granted` may make a call for which any of `accepted` is enough. */
export function hasScope(granted: readonly string[], accepted: readonly TokenScope[]): boolean {
  return accepted.some((scope) => granted.includes(scope))
}
