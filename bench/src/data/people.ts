import { hash } from 'node:crypto'
import { namespaceRow } from './groups.ts'
import { busyProject, deepProject, member, memberGroups, peopleGroup } from './measured.ts'
import { projectInGroup } from './projects.ts'
import { createRandom, type Random } from './random.ts'
import { sentence, slug } from './words.ts'
import { day, epoch, type GroupNote, inserter, minute, type World } from './world.ts'

/**
 * Keys, addresses, tokens of applications, and a group with very many projects, members, subgroups,
 * shares, access requests and badges. Only of sizes that ask for it (`groupProjects`).
 */
export function fillPeople(world: World): void {
  if (world.size.groupProjects === 0) return
  fillKeys(world)
  fillAddresses(world)
  fillApplicationTokens(world)
  const namespaces = namespaceWriter(world)
  const group = fillGroup(world, namespaces)
  fillDeepProject(world, namespaces, group)
  fillGroupShares(world, group)
  fillRequestsAndBadges(world, group)
  fillStars(world)
}

/** Twenty-five of the measured member, one or two of everyone else. */
function fillKeys({ db, users }: World): void {
  const insertKey = inserter(db, 'sshKeys')
  for (const { id: userId } of users) {
    const count = userId === member.id ? 25 : 1 + (userId % 2)
    for (let number = 1; number <= count; number += 1) {
      const digest = hash('sha256', `key ${number} of ${userId}`, 'base64')
      const md5 = hash('md5', digest)
      const when = epoch + userId * minute
      insertKey({
        kind: 'user',
        userId,
        creatorId: null,
        title: `laptop ${number}`,
        key: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${digest.slice(0, 43)} laptop`,
        fingerprint: `SHA256:${digest.slice(0, 43)}`,
        fingerprintMd5: md5.replaceAll(/..(?!$)/g, '$&:'),
        expiresOn: null,
        createdAt: when,
        updatedAt: when,
      })
    }
  }
}

/** Thirty secondary addresses of the measured member, and one of every fourth user. */
function fillAddresses({ db, users }: World): void {
  const insertEmail = inserter(db, 'emails')
  for (const { id: userId, username } of users) {
    const count = userId === member.id ? 30 : Number(userId % 4 === 0)
    for (let number = 1; number <= count; number += 1) {
      const email = `${username}+${number}@example.org`
      const createdAt = epoch + userId * minute
      const address = { email, emailLower: email, confirmedAt: createdAt, createdAt }
      insertEmail({ userId, kind: 'secondary', ...address })
    }
  }
}

/** An application that every tenth user signs in to; its tokens never expire here. */
function fillApplicationTokens({ db, users }: World): void {
  const scopes = JSON.stringify(['api'])
  const applicationId = 1
  inserter(
    db,
    'oauthApplications',
  )({
    id: applicationId,
    ownerId: null,
    uid: hash('sha256', 'application'),
    secretHash: hash('sha256', 'secret of the application'),
    name: 'Bench',
    redirectUris: JSON.stringify(['https://app.example.com/callback']),
    scopes,
    confidential: 1,
    trusted: 0,
    createdAt: epoch,
    deletedAt: null,
  })
  const insertGrant = inserter(db, 'oauthGrants')
  const insertToken = inserter(db, 'tokens')
  let grantId = 0
  for (const { id: userId } of users) {
    if (userId !== member.id && userId % 10 !== 0) continue
    grantId += 1
    const times = { createdAt: epoch, expiresAt: epoch + 10_000 * day }
    insertGrant({ id: grantId, applicationId, userId, scopes, ...times, revokedAt: null })
    const token = userId === member.id ? member.oauthToken : `application token of ${userId}`
    const secret = { name: 'Bench', tokenHash: hash('sha256', token), scopes, ...times }
    insertToken({ userId, oauthGrantId: grantId, kind: 'oauth', ...secret })
  }
}

type AddGroup = (name: string, parent: GroupNote | undefined) => GroupNote

/** Adds public groups after the personal namespaces. */
function namespaceWriter({ db, size, groups }: World): AddGroup {
  const insertNamespace = inserter(db, 'namespaces')
  const insertAncestor = inserter(db, 'namespaceAncestors')
  let id = size.groups + size.users
  return (name, parent) => {
    id += 1
    const path = slug(name)
    const note: GroupNote = {
      id,
      line: [...(parent?.line ?? []), id],
      fullPath: parent === undefined ? path : `${parent.fullPath}/${path}`,
      fullName: parent === undefined ? name : `${parent.fullName} / ${name}`,
      visibility: 'public',
    }
    groups.push(note)
    const { fullPath, fullName, visibility } = note
    const group = { id, kind: 'group' as const, ownerId: null, parentId: parent?.id ?? null }
    const values = { ...group, name, path, fullPath, fullName, visibility, description: '' }
    insertNamespace(namespaceRow(values, epoch + id * minute))
    for (const [index, ancestorId] of note.line.entries()) {
      insertAncestor({ descendantId: id, ancestorId, distance: note.line.length - 1 - index })
    }
    return note
  }
}

/** The measured member owns the group; it has 2,000 more members, or as many as there are. */
function fillGroup(world: World, addGroup: AddGroup): GroupNote {
  const { db, size, users } = world
  const random = createRandom('people group')
  const group = addGroup(peopleGroup.name, undefined)
  for (let number = 1; number <= 30; number += 1) addGroup(`Team ${number}`, group)
  const addProject = projectInGroup(world, random)
  for (let number = 1; number <= size.groupProjects; number += 1) addProject(group, number)
  const insertMember = inserter(db, 'members')
  const source = { sourceKind: 'group' as const, sourceId: group.id }
  insertMember({ ...source, userId: member.id, accessLevel: 50, createdAt: epoch })
  const others = users.filter(({ id }) => id !== member.id)
  const step = Math.max(1, Math.floor(others.length / 2000))
  for (const [index, { id: userId }] of others.entries()) {
    if (index % step !== 0) continue
    const accessLevel = random.pick([10, 20, 30, 40])
    insertMember({ ...source, userId, accessLevel, createdAt: epoch })
  }
  return group
}

/**
 * A private project five groups deep. The second of these is shared with the fifth group below one
 * of the member's, and the project itself with another group of theirs.
 */
function fillDeepProject(world: World, addGroup: AddGroup, group: GroupNote): void {
  const { db, groups } = world
  const [first, second] = memberGroups.map((position) => groups[position])
  let line: GroupNote | undefined = group
  let lower = first
  const above: GroupNote[] = []
  for (let level = 1; level <= 5; level += 1) {
    line = addGroup(`Deep ${level}`, level === 1 ? undefined : line)
    above.push(line)
    if (level > 1) lower = addGroup(`Lower ${level}`, lower)
  }
  const shared = above[1]
  if (lower === undefined || second === undefined || shared === undefined) return
  const random = createRandom('deep project')
  const projectId = projectInGroup(world, random)(line, 0, deepProject.name)
  const link = { expiresOn: null, createdAt: epoch }
  const shareGroup = inserter(db, 'groupGroupLinks')
  shareGroup({ sharedGroupId: shared.id, sharedWithGroupId: lower.id, groupAccess: 30, ...link })
  const shareProject = inserter(db, 'projectGroupLinks')
  shareProject({ projectId, groupId: second.id, groupAccess: 10, ...link })
}

/** Every tenth group is shared with another, and the large one and the busy project with twenty. */
function fillGroupShares({ db, groups }: World, { id: largeId }: GroupNote): void {
  const random = createRandom('group shares')
  const insertLink = inserter(db, 'groupGroupLinks')
  const add = (sharedGroupId: number) => {
    const sharedWithGroupId = drawOther(groups, sharedGroupId, random)
    const groupAccess = random.pick([10, 20, 30, 40])
    const ends = { expiresOn: null, createdAt: epoch }
    insertLink({ sharedGroupId, sharedWithGroupId, groupAccess, ...ends })
  }
  for (const { id, line } of groups) {
    if (id % 10 === 0 && line[0] !== largeId) add(id)
  }
  const insertShare = inserter(db, 'projectGroupLinks')
  for (const [index, { id }] of groups.slice(100, 120).entries()) {
    const ends = { expiresOn: null, createdAt: epoch + index * minute }
    insertLink({ sharedGroupId: largeId, sharedWithGroupId: id, groupAccess: 30, ...ends })
    const known = db
      .prepare('select 1 from "projectGroupLinks" where "projectId" = ? and "groupId" = ?')
      .get(busyProject, id)
    if (known === undefined) {
      insertShare({ projectId: busyProject, groupId: id, groupAccess: 30, ...ends })
    }
  }
}

function drawOther(groups: readonly GroupNote[], id: number, random: Random): number {
  const drawn = random.pick(groups).id
  return drawn === id ? 1 : drawn
}

function fillRequestsAndBadges({ db, users, groups }: World, group: GroupNote): void {
  const insertRequest = inserter(db, 'accessRequests')
  const source = { sourceKind: 'group' as const, sourceId: group.id }
  for (const { id: userId } of users.slice(2, 102)) {
    insertRequest({ ...source, userId, createdAt: epoch + userId * minute })
  }
  const random = createRandom('access requests and badges')
  const insertBadge = inserter(db, 'badges')
  const times = { createdAt: epoch, updatedAt: epoch }
  const addBadge = (owner: { projectId: number | null; groupId: number | null }) => {
    const linkUrl = `https://ci.example.com/${sentence(random, 1)}/%{project_path}`
    insertBadge({ ...owner, linkUrl, imageUrl: `${linkUrl}/badge.svg`, ...times })
  }
  for (const { id } of groups)
    if (id > 3 && random.chance(0.1)) addBadge({ projectId: null, groupId: id })
  for (const groupId of [1, 2, 3, group.id]) {
    for (let left = 5; left > 0; left -= 1) addBadge({ projectId: null, groupId })
  }
  for (let left = 10; left > 0; left -= 1) addBadge({ projectId: busyProject, groupId: null })
  for (const { id: userId } of users.slice(200)) {
    if (!random.chance(0.1)) continue
    const sourceId = random.pick(groups.slice(0, 20_000)).id
    insertRequest({ sourceKind: 'group', sourceId, userId, createdAt: epoch + userId * minute })
  }
}

/** Five hundred stars of the busy project, or one of each user. */
function fillStars({ db, users }: World): void {
  const insertStar = db.prepare(
    'insert into stars ("userId", "projectId", "createdAt") values (?, ?, ?) on conflict do nothing',
  )
  for (const { id } of users.slice(0, 500)) insertStar.run(id, busyProject, epoch + id * minute)
  db.prepare(
    'update projects set "starCount" = (select count(*) from stars where "projectId" = projects.id) where id = ?',
  ).run(busyProject)
}
