import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** Encrypts the secret of a user's authenticator app, as it is stored. */
export function sealTotpSecret(secrets: SecretBox, userId: number, secret: string): string {
  return secrets.seal(secret, purposeOf(userId))
}

/** The secret of a user's authenticator app; undefined once the server has another key. */
export function openTotpSecret(
  secrets: SecretBox,
  userId: number,
  stored: string,
): string | undefined {
  return secrets.open(stored, purposeOf(userId))
}

/** That of another user opens nothing. */
function purposeOf(userId: number): string {
  return `authenticator app of user ${userId}`
}
