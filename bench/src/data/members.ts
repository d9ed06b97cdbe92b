import type { NewRow } from '@stithy/store'
import { busyProject, member, memberGroups, memberProjects } from './measured.ts'
import { createRandom, type Random } from './random.ts'
import { epoch, inserter, minute, type World } from './world.ts'

type Source = Pick<NewRow<'members'>, 'sourceKind' | 'sourceId'>

/** The percentages of users with no membership, one, two, … five. */
const memberships = [20, 30, 22, 13, 9, 6]

/** Direct memberships: group owners, up to five per user, and one busy project. */
export function fillMembers(world: World): void {
  const { size, users } = world
  const random = createRandom('members')
  const add = memberAdder(world)
  fillOwners(world, random, add)
  for (let count = 0, position = 0; count < size.busyMembers; position += 1) {
    const user = users[position]
    if (user === undefined) break
    const busy: Source = { sourceKind: 'project', sourceId: busyProject }
    if (user.id !== member.id && add(busy, user.id, random.pick([10, 20, 30, 40]))) count += 1
  }
  for (const user of users) {
    if (user.id === member.id) continue
    for (let left = drawCount(random); left > 0; left -= 1) {
      const inGroup = random.chance(0.5)
      add(drawSource(world, inGroup, random), user.id, random.pick([10, 20, 30, 30, 30, 40]))
    }
  }
  for (const id of memberProjects) add({ sourceKind: 'project', sourceId: id }, member.id, 30)
  for (const position of memberGroups) {
    const group = world.groups[position]
    if (group !== undefined) add({ sourceKind: 'group', sourceId: group.id }, member.id, 20)
  }
}

type Add = (source: Source, userId: number, accessLevel: number) => boolean

/** Adds a membership unless the user has one there already. */
function memberAdder({ db }: World): Add {
  const insertMember = inserter(db, 'members')
  const known = new Set<string>()
  let sequence = 0
  return (source, userId, accessLevel) => {
    const key = `${source.sourceKind} ${source.sourceId} ${userId}`
    if (known.has(key)) return false
    known.add(key)
    sequence += 1
    insertMember({ ...source, userId, accessLevel, createdAt: epoch + sequence * minute })
    return true
  }
}

/** Every group has an owner; the owner of a personal project is its maintainer. */
function fillOwners(world: World, random: Random, add: Add): void {
  for (const group of world.groups) {
    const owner = random.pick(world.users)
    const userId = owner.id === member.id ? 1 : owner.id
    add({ sourceKind: 'group', sourceId: group.id }, userId, 50)
  }
  const personal = world.db
    .prepare<[], { id: number; ownerId: number }>(
      `select p.id, n."ownerId" from projects p join namespaces n on n.id = p."namespaceId"
       where n.kind = 'user' order by p.id`,
    )
    .all()
  for (const { id, ownerId } of personal) {
    if (ownerId !== member.id) add({ sourceKind: 'project', sourceId: id }, ownerId, 40)
  }
}

function drawCount(random: Random): number {
  let left = random.integer(100)
  for (const [count, share] of memberships.entries()) {
    left -= share
    if (left < 0) return count
  }
  return 0
}

function drawSource({ groups, projects }: World, inGroup: boolean, random: Random): Source {
  return inGroup
    ? { sourceKind: 'group', sourceId: random.pick(groups).id }
    : { sourceKind: 'project', sourceId: random.pick(projects).id }
}
