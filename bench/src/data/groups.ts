import type { NewRow } from '@stithy/store'
import { createRandom, type Random } from './random.ts'
import type { Size } from './sizes.ts'
import { sentence, slug, thingName } from './words.ts'
import { epoch, type GroupNote, inserter, minute, type Visibility, type World } from './world.ts'

const openness: readonly Visibility[] = ['private', 'internal', 'public']

/** Whether a group or project of visibility `inner` may be in a group of visibility `outer`. */
export function fits(inner: Visibility, outer: Visibility): boolean {
  return openness.indexOf(inner) <= openness.indexOf(outer)
}

/** Of every ten, five are private, two internal and three public. */
export function visibilityOf(position: number): Visibility {
  const mix = 'private public private internal private public private internal private public'
  return mix.split(' ')[position % 10] as Visibility
}

/** Groups, nested up to the depth of the size, and the personal namespace of each user. */
export function fillNamespaces(world: World): void {
  const { db, size, users, groups } = world
  const random = createRandom('groups')
  const insertNamespace = inserter(db, 'namespaces')
  const insertAncestor = inserter(db, 'namespaceAncestors')
  for (let id = 1; id <= size.groups; id += 1) {
    const { note, row } = nextGroup(id, groups, size, random)
    groups.push(note)
    insertNamespace(row)
    for (const [index, ancestorId] of note.line.entries()) {
      insertAncestor({ descendantId: id, ancestorId, distance: note.line.length - 1 - index })
    }
  }
  for (const { id, namespaceId, username, name } of users) {
    const own = { id: namespaceId, kind: 'user' as const, ownerId: id, parentId: null }
    const names = { name, path: username, fullPath: username, fullName: name }
    const when = epoch + id * minute
    insertNamespace(namespaceRow({ ...own, ...names, visibility: 'public', description: '' }, when))
    insertAncestor({ descendantId: namespaceId, ancestorId: namespaceId, distance: 0 })
  }
}

/** The first three groups are a chain, the next three are top-level; then comes the long chain. */
const measuredGroups = 6

function nextGroup(id: number, groups: readonly GroupNote[], size: Size, random: Random) {
  const inChain = id > measuredGroups && id <= measuredGroups + size.depth
  // These are public, so that everything fits into them.
  const visibility = inChain || id <= measuredGroups ? 'public' : visibilityOf(id)
  const parent = parentOf(id, groups, size, visibility, random)
  const name = `${thingName(random)} ${id}`
  const path = slug(name)
  const note: GroupNote = {
    id,
    line: [...(parent?.line ?? []), id],
    fullPath: parent === undefined ? path : `${parent.fullPath}/${path}`,
    fullName: parent === undefined ? name : `${parent.fullName} / ${name}`,
    visibility,
  }
  const { fullPath, fullName } = note
  const group = { id, kind: 'group' as const, ownerId: null, parentId: parent?.id ?? null }
  const description = random.chance(0.6) ? sentence(random, 8) : ''
  const values = { ...group, name, path, fullPath, fullName, visibility, description }
  return { note, row: namespaceRow(values, epoch + id * minute) }
}

function parentOf(
  id: number,
  groups: readonly GroupNote[],
  size: Size,
  visibility: Visibility,
  random: Random,
): GroupNote | undefined {
  if (id <= measuredGroups) return id === 2 || id === 3 ? groups.at(-1) : undefined
  const position = id - measuredGroups
  if (position === 1) return undefined
  if (position <= size.depth) return groups.at(-1)
  return drawParent(groups, size.depth, visibility, random)
}

/**
 * A third are top-level groups; the others are in a group that is visible enough and not too deep.
 */
function drawParent(
  groups: readonly GroupNote[],
  depth: number,
  visibility: Visibility,
  random: Random,
): GroupNote | undefined {
  if (random.chance(1 / 3)) return undefined
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const drawn = groups[measuredGroups + random.integer(groups.length - measuredGroups)]
    if (drawn === undefined || drawn.line.length >= depth) continue
    if (fits(visibility, drawn.visibility)) return drawn
  }
  return undefined
}

export type NamespaceValues = Required<
  Pick<
    NewRow<'namespaces'>,
    'id' | 'kind' | 'name' | 'path' | 'fullPath' | 'fullName' | 'parentId' | 'ownerId'
  >
> &
  Pick<NewRow<'namespaces'>, 'visibility' | 'description'>

export function namespaceRow(values: NamespaceValues, createdAt: number): NewRow<'namespaces'> {
  return {
    ...values,
    nameLower: values.name.toLowerCase(),
    pathLower: values.path.toLowerCase(),
    fullPathLower: values.fullPath.toLowerCase(),
    requestAccessEnabled: 1,
    createdAt,
    updatedAt: createdAt,
  }
}
