import { positionGap } from '@stithy/core'
import { inBulk } from './bulk.ts'
import { deriveFromItems, drawItems, itemColumns, linkWriter, type NewItem } from './items.ts'
import { createRandom, type Random } from './random.ts'
import { inserter, type World } from './world.ts'

/**
 * Issues, most of them with labels, assignees or a milestone; a large share in the busy project.
 */
export function fillIssues(world: World): void {
  const { db } = world
  const tables = ['issues', 'issueAssignees', 'labelLinks', 'awards']
  inBulk(db, tables, () => writeIssues(world))
  deriveFromItems(world, 'issue')
  db.exec(`update projects set "openIssuesCount" = (select count(*) from issues i
    where i."projectId" = projects.id and i.state = 'opened' and i.confidential = 0)`)
}

function writeIssues(world: World): void {
  const { db, size } = world
  const random = createRandom('issues')
  const insertIssue = inserter(db, 'issues')
  const insertAssignee = inserter(db, 'issueAssignees')
  const writeLinks = linkWriter(world, 'issue')
  for (const item of drawItems(world, size.issues, random)) {
    insertIssue(issueRow(world, item, random))
    writeLinks(item)
    for (const [position, userId] of item.assigneeIds.entries()) {
      insertAssignee({ issueId: item.id, userId, position, createdAt: item.createdAt })
    }
  }
}

function issueRow(world: World, item: NewItem, random: Random) {
  const { size, users } = world
  const common = itemColumns(world, item, random)
  const open = random.chance(0.4)
  const closed = { closedById: random.pick(users).id, closedAt: common.updatedAt }
  return {
    ...common,
    state: open ? ('opened' as const) : ('closed' as const),
    confidential: random.chance(0.03) ? (1 as const) : (0 as const),
    weight: random.chance(0.3) ? 1 + random.integer(5) : null,
    dueDate: random.chance(0.1) ? '2025-12-24' : null,
    relativePosition: -common.iid * positionGap,
    userNotesCount: random.integer(2 * Math.floor(size.notes / size.issues) + 1),
    ...(open ? { closedById: null, closedAt: null } : closed),
  }
}
