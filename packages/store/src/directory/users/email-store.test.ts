import { describe, expect, it } from 'vitest'
import { explainQuery } from '../../testing/index.ts'

const byIndex = /^SEARCH \w+ USING (?:(?:COVERING )?INDEX|INTEGER PRIMARY KEY)/

describe('a look-up', () => {
  it('of addresses reads an index', async () => {
    const plans = await Promise.all([
      explainQuery<{ email: string }>((db, $) =>
        db
          .selectFrom('emails')
          .innerJoin('users', 'users.id', 'emails.userId')
          .select('users.id')
          .where('emails.emailLower', '=', $('email'))
          .where('users.kind', '=', 'human'),
      ),
      explainQuery<{ hash: string }>((db, $) =>
        db.selectFrom('emails').select('id').where('tokenHash', '=', $('hash')),
      ),
      explainQuery<{ userId: number }>((db, $) =>
        db
          .selectFrom('emails')
          .select('email')
          .where('userId', '=', $('userId'))
          .where('kind', '=', 'secondary')
          .orderBy('id')
          .limit(20),
      ),
      explainQuery<{ email: string }>((db, $) =>
        db
          .selectFrom('users')
          .select('id')
          .where('publicEmail', '=', $('email'))
          .where('kind', '=', 'human')
          .orderBy('id')
          .limit(1),
      ),
    ])
    for (const step of plans.flat()) expect(step).toMatch(byIndex)
  })

  it('of keys of users reads an index', async () => {
    const plans = await Promise.all([
      explainQuery<{ userId: number }>((db, $) =>
        db
          .selectFrom('sshKeys')
          .select('title')
          .where('userId', '=', $('userId'))
          .orderBy('id')
          .limit(20),
      ),
      explainQuery<{ md5: string }>((db, $) =>
        db
          .selectFrom('sshKeys')
          .select('title')
          .where('fingerprintMd5', '=', $('md5'))
          .orderBy('id')
          .limit(1),
      ),
      explainQuery<{ userId: number }>((db, $) =>
        db
          .selectFrom('gpgKeys')
          .select('key')
          .where('userId', '=', $('userId'))
          .orderBy('id')
          .limit(20),
      ),
      explainQuery<{ keyId: string }>((db, $) =>
        db
          .selectFrom('gpgKeys')
          .select('key')
          .where('keyId', '=', $('keyId'))
          .orderBy('id')
          .limit(5),
      ),
      explainQuery<{ keyId: string }>((db, $) =>
        db
          .selectFrom('gpgSubkeys as subkey')
          .innerJoin('gpgKeys', 'gpgKeys.id', 'subkey.gpgKeyId')
          .select('gpgKeys.key')
          .where('subkey.keyId', '=', $('keyId'))
          .orderBy('subkey.id')
          .limit(5),
      ),
    ])
    for (const step of plans.flat()) expect(step).toMatch(byIndex)
  })
})
