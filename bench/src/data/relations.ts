import { createRandom } from './random.ts'
import { epoch, inserter, minute, type World } from './world.ts'

/** Stars with their counts, shares with groups, forks and custom attributes. */
export function fillRelations(world: World): void {
  fillStars(world)
  fillShares(world)
  fillForks(world)
  fillCustomAttributes(world)
}

/** On average three per project, and a few popular ones. */
function fillStars({ db, projects, users }: World): void {
  const random = createRandom('stars')
  const insertStar = inserter(db, 'stars')
  const saveCount = db.prepare('update projects set "starCount" = ? where id = ?')
  for (const project of projects) {
    const count = random.chance(0.02) ? 40 : random.integer(6)
    const fans = new Set(Array.from({ length: count }, () => random.pick(users).id))
    for (const userId of fans) {
      insertStar({ userId, projectId: project.id, createdAt: epoch + project.id * minute })
    }
    saveCount.run(fans.size, project.id)
  }
}

function fillShares({ db, projects, groups }: World): void {
  const random = createRandom('shares')
  const insertLink = inserter(db, 'projectGroupLinks')
  for (const project of projects) {
    if (!random.chance(0.1)) continue
    const group = random.pick(groups)
    const createdAt = epoch + project.id * minute
    const link = { projectId: project.id, groupId: group.id, createdAt }
    insertLink({ ...link, groupAccess: random.pick([10, 20, 30, 40]) })
  }
}

function fillForks({ db, projects }: World): void {
  const random = createRandom('forks')
  const source = db.prepare('update projects set "forkedFromProjectId" = ? where id = ?')
  const count = db.prepare('update projects set "forksCount" = "forksCount" + 1 where id = ?')
  const open = projects.filter(({ visibility }) => visibility === 'public')
  for (const project of projects) {
    if (project.visibility !== 'private' || !random.chance(0.04)) continue
    const origin = random.pick(open)
    source.run(origin.id, project.id)
    count.run(origin.id)
  }
}

function fillCustomAttributes({ db, users, groups, projects }: World): void {
  const random = createRandom('custom attributes')
  const insertAttribute = inserter(db, 'customAttributes')
  const owners = { user: users, group: groups, project: projects } as const
  for (const ownerKind of ['user', 'group', 'project'] as const) {
    for (const { id: ownerId } of owners[ownerKind]) {
      if (!random.chance(0.05)) continue
      const value = random.pick(['north', 'south', 'east', 'west'])
      insertAttribute({ ownerKind, ownerId, key: 'region', value })
    }
  }
}
