import type { CommitSignature } from '@stithy/core'

/** Presents a signature. OpenPGP keys of users are not stored, so every key is unknown. */
export function presentSignature(keyId: string): CommitSignature {
  return {
    gpg_key_id: null,
    gpg_key_primary_keyid: keyId,
    gpg_key_user_name: null,
    gpg_key_user_email: null,
    verification_status: 'unknown_key',
    gpg_key_subkey_id: null,
  }
}
