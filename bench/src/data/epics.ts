import { busyProject, largeEpic, mediumEpic } from './measured.ts'
import { createRandom, type Random } from './random.ts'
import { sentence } from './words.ts'
import { epoch, inserter, minute, type World } from './world.ts'

const labelTitles = ['strategy', 'platform', 'design', 'quality', 'growth']
/** The number of children of an epic, and of levels. */
const [children, levels] = [4, 5]
/** Issues of an epic, as far as there are enough. */
const issuesOfEpic = 3
const issuesOfMediumEpic = 100
const issuesOfLargeEpic = 10_000

/**
 * Epics in a tree of five levels: the upper two in the top-level group of the measured projects, the
 * others in the groups below it. They have labels of that group, and issues of the busy project.
 */
export function fillEpics(world: World): void {
  const { db, size, groups } = world
  if (size.epics === 0) return
  const random = createRandom('epics')
  const insertEpic = inserter(db, 'epics')
  const insertLink = inserter(db, 'labelLinks')
  const labelIds = writeLabels(world)
  const iids = new Map<number, number>()
  const roots = rootCount(size.epics)
  for (let index = 0; index < size.epics; index += 1) {
    const groupId = groups[Math.floor(levelOf(index, roots) / 2)]?.id ?? 0
    const iid = (iids.get(groupId) ?? 0) + 1
    iids.set(groupId, iid)
    const own = labelIds.filter(() => random.chance(0.3))
    const row = epicRow(world, { index, roots, random })
    insertEpic({ ...row, groupId, iid, labelCount: own.length })
    const { id: targetId, createdAt } = row
    const target = { targetType: 'epic' as const, targetId, projectId: null, createdAt }
    for (const labelId of own) insertLink({ ...target, labelId })
  }
  const insertCounter = inserter(db, 'counters')
  for (const [groupId, value] of iids) insertCounter({ name: `iid.epics.${groupId}`, value })
  fillEpicIssues(world)
}

function epicRow(
  { users }: World,
  { index, roots, random }: { index: number; roots: number; random: Random },
) {
  const id = index + 1
  const createdAt = epoch + id * minute
  const isRoot = index < roots
  const isOpen = random.chance(0.7)
  const closed = { closedById: random.pick(users).id, closedAt: createdAt + minute }
  return {
    id,
    authorId: random.pick(users).id,
    title: sentence(random, 4),
    description: random.chance(0.9) ? sentence(random, 6 + random.integer(12)) : null,
    state: isOpen ? ('opened' as const) : ('closed' as const),
    ...(isOpen ? { closedById: null, closedAt: null } : closed),
    // Each level comes after the one above it.
    parentId: isRoot ? null : Math.floor((index - roots) / children) + 1,
    relativePosition: isRoot ? null : ((index - roots) % children) * 2 ** 26,
    startDateIsFixed: random.chance(0.5) ? (1 as const) : (0 as const),
    startDateFixed: '2025-01-01',
    dueDateIsFixed: random.chance(0.5) ? (1 as const) : (0 as const),
    dueDateFixed: '2025-12-31',
    createdAt,
    updatedAt: createdAt + random.integer(10_000) * minute,
  }
}

/** The epics without a parent; with their descendants on five levels there are as many as asked. */
function rootCount(epics: number): number {
  const each = (children ** levels - 1) / (children - 1)
  return Math.max(1, Math.ceil(epics / each))
}

/** The level of an epic, from 0. */
function levelOf(index: number, roots: number): number {
  let [level, start, width] = [0, 0, roots]
  while (index >= start + width) {
    start += width
    width *= children
    level += 1
  }
  return level
}

function writeLabels({ db, groups }: World): number[] {
  const last = db.prepare<[], { id: number }>('select coalesce(max(id), 0) as id from labels').get()
  const insertLabel = inserter(db, 'labels')
  const owner = { projectId: null, groupId: groups[0]?.id ?? 0, description: null }
  return labelTitles.map((title, index) => {
    const id = (last?.id ?? 0) + index + 1
    const times = { createdAt: epoch, updatedAt: epoch }
    insertLabel({ id, ...owner, title, color: '#428bca', ...times })
    return id
  })
}

/** Each epic has a few issues, one of them 100 more, and another all others, up to 10,000. */
function fillEpicIssues({ db, size }: World): void {
  const insertIssue = inserter(db, 'epicIssues')
  const few = size.epics * issuesOfEpic
  const issues = db
    .prepare<[number, number], { id: number; milestoneId: number | null }>(
      'select id, "milestoneId" from issues where "projectId" = ? order by id limit ?',
    )
    .all(busyProject, few + issuesOfMediumEpic + issuesOfLargeEpic)
  for (const [index, { id: issueId, milestoneId }] of issues.entries()) {
    const more = index < few + issuesOfMediumEpic ? mediumEpic : largeEpic
    const epicId = index < few ? 1 + (index % size.epics) : more
    insertIssue({
      epicId,
      issueId,
      milestoneId,
      relativePosition: index * 2 ** 26,
      createdAt: epoch,
    })
  }
  const dateOf = (aggregate: string, column: string) => `(select ${aggregate}(m."${column}")
    from "epicIssues" i join milestones m on m.id = i."milestoneId" where i."epicId" = epics.id)`
  db.exec(`update epics set "startDateFromMilestones" = ${dateOf('min', 'startDate')},
    "dueDateFromMilestones" = ${dateOf('max', 'dueDate')}`)
}
