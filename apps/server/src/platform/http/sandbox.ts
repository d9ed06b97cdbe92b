/**
 * The policy of bytes that users have made: a browser that is led to them runs nothing, whatever it takes
 * them for. That it must not guess is said of every response.
 */
export const sandboxHeaders = { 'content-security-policy': "default-src 'none'; sandbox" } as const
