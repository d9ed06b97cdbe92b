import { hash } from 'node:crypto'
import type { NewRow } from '@stithy/store'
import { fits, visibilityOf } from './groups.ts'
import { busyProject, measuredProject } from './measured.ts'
import { createRandom, type Random } from './random.ts'
import { sentence, slug, thingName } from './words.ts'
import { day, epoch, inserter, minute, type Visibility, type World } from './world.ts'

/** Projects with their statistics and languages; those without a repository are empty. */
export function fillProjects(world: World): void {
  const { db, size, projects } = world
  const random = createRandom('projects')
  const insertProject = inserter(db, 'projects')
  const insertStatistics = inserter(db, 'projectStatistics')
  for (let id = 1; id <= size.projects; id += 1) {
    const row = projectRow(id, world, random)
    insertProject(row)
    insertStatistics({ projectId: id, updatedAt: row.updatedAt })
    const { fullPath, visibility, repositoryPath } = row
    projects.push({ id, fullPath, visibility, repositoryPath })
  }
}

/**
 * Adds projects to one group: named by a number, or as given, and then private. Returns the id.
 */
export function projectInGroup(
  world: World,
  random: Random,
): (group: Home, number: number, name?: string) => number {
  const { db, projects } = world
  const insertProject = inserter(db, 'projects')
  const insertStatistics = inserter(db, 'projectStatistics')
  return (group, number, name = `Project ${number}`) => {
    const id = (projects.at(-1)?.id ?? 0) + 1
    const visibility = number === 0 ? 'private' : visibilityOf(id)
    const names = { name, path: slug(name) }
    const row = projectColumns({ id, visibility, namespace: group, names }, world, random)
    insertProject(row)
    insertStatistics({ projectId: id, updatedAt: row.updatedAt })
    projects.push({ id, fullPath: row.fullPath, visibility, repositoryPath: row.repositoryPath })
    return id
  }
}

interface Home {
  id: number
  fullPath: string
}

function projectRow(id: number, world: World, random: Random): NewRow<'projects'> {
  const visibility = visibilityOf(id - 1)
  const namespace = homeOf(id, visibility, world, random)
  return projectColumns({ id, visibility, namespace, names: namesOf(id, random) }, world, random)
}

interface Place {
  id: number
  visibility: Visibility
  namespace: Home
  names: { name: string; path: string }
}

function projectColumns(
  { id, visibility, namespace, names }: Place,
  world: World,
  random: Random,
): NewRow<'projects'> {
  const fullPath = `${namespace.fullPath}/${names.path}`
  const createdAt = epoch + id * 10 * minute
  return {
    id,
    namespaceId: namespace.id,
    creatorId: random.pick(world.users).id,
    ...names,
    nameLower: names.name.toLowerCase(),
    pathLower: names.path,
    fullPath,
    fullPathLower: fullPath,
    visibility,
    description: random.chance(0.7) ? sentence(random, 4 + random.integer(20)) : null,
    tagList: JSON.stringify(drawTags(random)),
    archived: random.chance(0.05) && id > 10 ? 1 : 0,
    issuesAccessLevel: random.chance(0.1) && id > 10 ? 'disabled' : 'enabled',
    mergeMethod: random.pick(['merge', 'merge', 'rebase_merge', 'ff'] as const),
    requestAccessEnabled: 1,
    runnersToken: hash('sha256', `runners of ${id}`).slice(0, 20),
    repositoryPath: repositoryPathOf(id),
    createdAt,
    updatedAt: createdAt,
    lastActivityAt: createdAt + random.integer(200) * day,
  }
}

function namesOf(id: number, random: Random): { name: string; path: string } {
  const drawn = `${thingName(random)} ${id}`
  if (id === measuredProject.id) return { name: measuredProject.name, path: measuredProject.path }
  return { name: drawn, path: slug(drawn) }
}

/**
 * Two of three projects are in a group that is visible enough, the others in a personal namespace.
 */
function homeOf(id: number, visibility: Visibility, world: World, random: Random): Home {
  const { groups, users } = world
  const measured = groups[measuredProject.groupPosition]
  const inMeasured = id === measuredProject.id || id === busyProject
  if (inMeasured && measured !== undefined) return measured
  const group = random.pick(groups)
  if (random.chance(2 / 3) && fits(visibility, group.visibility)) return group
  const { namespaceId, username } = random.pick(users)
  return { id: namespaceId, fullPath: username }
}

function drawTags(random: Random): string[] {
  const tags = ['backend', 'frontend', 'library', 'tooling', 'service', 'internal']
  return tags.filter(() => random.chance(0.2))
}

/** The hashed layout of bare repositories. */
function repositoryPathOf(id: number): string {
  const digest = hash('sha256', String(id))
  return `${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}.git`
}
