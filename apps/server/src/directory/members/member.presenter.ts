import type { Member } from '@stithy/core'
import type { MemberRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { presentUserRef } from '../users/user.presenter.ts'

/** Builds the shape of a member: a user with an access level. */
export function presentMember(config: Config, row: MemberRow): Member {
  return {
    ...presentUserRef(config, row),
    access_level: row.accessLevel,
    expires_at: row.expiresOn,
  }
}
