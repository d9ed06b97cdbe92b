import { hash } from 'node:crypto'
import type { NewRow } from '@stithy/store'
import { member, root } from './measured.ts'
import { createRandom, type Random } from './random.ts'
import { personName, sentence, slug } from './words.ts'
import { day, epoch, inserter, minute, type UserNote, type World } from './world.ts'

/** Users, their identities and tokens. */
export function fillUsers(world: World): void {
  const { db, size, users } = world
  const random = createRandom('users')
  const insertUser = inserter(db, 'users')
  const insertEmail = inserter(db, 'emails')
  const insertIdentity = inserter(db, 'identities')
  for (let id = 1; id <= size.users; id += 1) {
    const { username, name } = identityOf(id, random)
    users.push({ id, namespaceId: size.groups + id, username, name })
    const row = userRow(id, username, name, random)
    insertUser(row)
    insertEmail(emailRow(id, row))
    if (id % 20 === 0) insertIdentity({ userId: id, provider: 'ldapmain', externUid: `uid-${id}` })
  }
  fillTokens(world)
}

function identityOf(id: number, random: Random): Pick<UserNote, 'username' | 'name'> {
  const name = personName(random)
  if (id === root.id) return { username: root.username, name: 'Administrator' }
  if (id === member.id) return { username: member.username, name: 'Member' }
  return { username: `${slug(name)}-${id}`, name }
}

function userRow(id: number, username: string, name: string, random: Random): NewRow<'users'> {
  const createdAt = epoch + id * minute
  const measured = id === root.id || id === member.id
  const described = random.chance(0.3)
  const email = `${username}@example.com`
  return {
    id,
    username,
    usernameLower: username,
    name,
    nameLower: name.toLowerCase(),
    email,
    emailLower: email,
    state: !measured && random.chance(0.02) ? 'blocked' : 'active',
    admin: id === root.id ? 1 : 0,
    external: !measured && random.chance(0.01) ? 1 : 0,
    bio: described ? sentence(random, 12) : null,
    location: described ? random.pick(['Lisbon', 'Oslo', 'Graz', 'Porto', 'Turku']) : null,
    publicEmail: described ? email : '',
    websiteUrl: described ? `https://${username}.example.com` : '',
    organization: described ? 'Example' : null,
    twoFactorEnabled: random.chance(0.2) ? 1 : 0,
    createdAt,
    updatedAt: createdAt,
    confirmedAt: createdAt,
    lastSignInAt: createdAt + day,
    currentSignInAt: createdAt + 2 * day,
    lastActivityOn: new Date(createdAt + 2 * day).toISOString().slice(0, 10),
  }
}

/** The primary address of a user. */
function emailRow(userId: number, { email, createdAt }: NewRow<'users'>): NewRow<'emails'> {
  const emailLower = email.toLowerCase()
  return { userId, kind: 'primary', email, emailLower, confirmedAt: createdAt, createdAt }
}

/** A random token for every fifth user, and known ones for the measured users. */
function fillTokens({ db, users }: World): void {
  const insertToken = inserter(db, 'tokens')
  const add = (userId: number, token: string, scopes: readonly string[]) =>
    insertToken({
      userId,
      kind: 'personal',
      name: 'bench',
      tokenHash: hash('sha256', token),
      scopes: JSON.stringify(scopes),
      createdAt: epoch,
    })
  add(root.id, root.token, ['api', 'read_user', 'sudo', 'read_repository', 'write_repository'])
  add(member.id, member.token, ['api'])
  for (const { id } of users) if (id % 5 === 0) add(id, `token of ${id}`, ['api'])
}
