import type { HookOwner, WebhookRow } from '@stithy/store'
import type { SecretBox } from '../../platform/secrets/secret-box.ts'

/** Encrypts the secret token of a hook, as it is stored. */
export function sealHookToken(secrets: SecretBox, owner: HookOwner, token: string): string {
  return secrets.seal(token, purposeOf(owner.kind, owner.kind === 'system' ? null : owner.id))
}

/** The secret token of a hook, null for none; undefined once the server has another key. */
export function openHookToken(
  secrets: SecretBox,
  { kind, projectId, groupId, token }: Pick<WebhookRow, 'kind' | 'projectId' | 'groupId' | 'token'>,
): string | null | undefined {
  return token === null ? null : secrets.open(token, purposeOf(kind, projectId ?? groupId))
}

/** A hook of another project or group cannot be made to send it. */
function purposeOf(kind: HookOwner['kind'], ownerId: number | null): string {
  return `token of ${kind} hook ${ownerId ?? ''}`
}
