import type { Member } from '@stithy/core'
import type { MemberRow } from '@stithy/store'
import type { Config } from '../config/config.ts'
import { presentUserRef } from '../users/user.presenter.ts'

/** A user with the level of a membership (catalogue: projects, Members). */
export function presentMember(config: Config, row: MemberRow): Member {
  return {
    ...presentUserRef(config, row),
    access_level: row.accessLevel,
    expires_at: row.expiresOn,
  }
}
