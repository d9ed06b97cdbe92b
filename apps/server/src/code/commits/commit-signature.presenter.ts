import type { CommitSignature } from '@stithy/core'

/** The key of a user that made a signature, and the user ID of it that is shown. */
export interface KeyOfSignature {
  id: number
  /** ID of the primary key. */
  keyId: string
  subkeyId: number | null
  name: string | null
  email: string | null
}

/** A signature and its status; without a key, nobody's key has the ID of its issuer. */
export interface SignatureView {
  issuer: string
  status: CommitSignature['verification_status']
  key?: KeyOfSignature
}

/** Presents a signature. */
export function presentSignature({ issuer, status, key }: SignatureView): CommitSignature {
  return {
    gpg_key_id: key?.id ?? null,
    gpg_key_primary_keyid: key?.keyId ?? issuer,
    gpg_key_user_name: key?.name ?? null,
    gpg_key_user_email: key?.email ?? null,
    verification_status: status,
    gpg_key_subkey_id: key?.subkeyId ?? null,
  }
}
