import type { NewRow } from '@stithy/store'
import { inBulk } from './bulk.ts'
import { busyProject, issuesOfMember, member, rareWord } from './measured.ts'
import { createRandom, type Random } from './random.ts'
import { sentence } from './words.ts'
import { day, epoch, inserter, type World } from './world.ts'

const year = 365 * day

/**
 * Issues, most of them with labels, assignees or a milestone; a large share in the busy project.
 */
export function fillIssues(world: World): void {
  const { db } = world
  const tables = ['issues', 'issueAssignees', 'labelLinks', 'awards']
  inBulk(db, tables, () => writeIssues(world))
  db.exec(`insert into "issueTexts" ("issueTexts") values ('rebuild')`)
  db.exec(`insert into counters (name, value)
    select 'iid.issues.' || "projectId", max(iid) from issues group by "projectId"`)
  db.exec(`update projects set "openIssuesCount" = (select count(*) from issues i
    where i."projectId" = projects.id and i.state = 'opened' and i.confidential = 0)`)
}

function writeIssues(world: World): void {
  const { db, size } = world
  const random = createRandom('issues')
  const write = { issue: inserter(db, 'issues'), ...linkWriters(world) }
  const iids = new Map<number, number>()
  /**
   * Every `step`th issue of the busy project is the measured member's, so that small and large data
   * have the same number.
   */
  const step = Math.max(1, Math.floor((size.issues * busyShare(size.issues)) / issuesOfMember))
  for (let id = 1; id <= size.issues; id += 1) {
    const projectId = random.chance(busyShare(size.issues))
      ? busyProject
      : random.pick(world.projects).id
    const iid = (iids.get(projectId) ?? 0) + 1
    iids.set(projectId, iid)
    const own = projectId === busyProject && iid % step === 0 && iid / step <= issuesOfMember
    const labelIds = drawLabels(world, projectId, random)
    const assigneeIds = drawAssignees(world, own, random)
    const counts = { labelCount: labelIds.length, assigneeCount: assigneeIds.length }
    const row = { ...issueRow(world, { id, iid, projectId, own }, random), ...counts }
    write.issue(row)
    const { createdAt } = row
    for (const labelId of labelIds) write.label({ targetId: id, labelId, projectId, createdAt })
    for (const [position, userId] of assigneeIds.entries()) {
      write.assignee({ issueId: id, userId, position, createdAt })
    }
    if (own) write.award({ targetId: id, projectId, createdAt })
  }
}

/** A tenth, and on small data enough to fill a page with each filter. */
function busyShare(issues: number): number {
  return Math.max(0.1, Math.min(0.5, 1000 / issues))
}

function linkWriters({ db }: World) {
  const insertLink = inserter(db, 'labelLinks')
  const insertAward = inserter(db, 'awards')
  return {
    assignee: inserter(db, 'issueAssignees'),
    label: (link: Pick<NewRow<'labelLinks'>, 'targetId' | 'labelId' | 'projectId' | 'createdAt'>) =>
      insertLink({ targetType: 'issue', ...link }),
    award: ({
      createdAt,
      ...award
    }: Pick<NewRow<'awards'>, 'targetId' | 'projectId' | 'createdAt'>) =>
      insertAward({
        targetType: 'issue',
        ...award,
        userId: member.id,
        name: 'tada',
        createdAt,
        updatedAt: createdAt,
      }),
  }
}

interface NewIssue {
  id: number
  iid: number
  projectId: number
  /** Written by the measured member. */
  own: boolean
}

function issueRow(world: World, { own, ...issue }: NewIssue, random: Random) {
  const { size, users, planning } = world
  const createdAt = epoch + Math.floor((issue.id * year) / size.issues)
  const open = random.chance(0.4)
  const updatedAt = createdAt + random.integer(30 * day)
  const { milestones = [] } = planning.get(issue.projectId) ?? {}
  const userNotesCount = random.integer(2 * Math.floor(size.notes / size.issues) + 1)
  const closed = { closedById: random.pick(users).id, closedAt: updatedAt }
  return {
    ...issue,
    authorId: own ? member.id : otherThanMember(world, random),
    title: `${own ? `${rareWord} ` : ''}${sentence(random, 4)}`,
    description: random.chance(0.9) ? sentence(random, 6 + random.integer(12)) : null,
    state: open ? ('opened' as const) : ('closed' as const),
    confidential: random.chance(0.03) ? (1 as const) : (0 as const),
    discussionLocked: null,
    milestoneId: random.chance(0.4) ? random.pick(milestones) : null,
    weight: random.chance(0.3) ? 1 + random.integer(5) : null,
    dueDate: random.chance(0.1) ? '2025-12-24' : null,
    timeEstimate: random.chance(0.2) ? 3600 * (1 + random.integer(20)) : 0,
    totalTimeSpent: random.chance(0.1) ? 1800 * (1 + random.integer(20)) : 0,
    userNotesCount,
    upvotes: random.chance(0.2) ? random.integer(5) : 0,
    ...(open ? { closedById: null, closedAt: null } : closed),
    createdAt,
    updatedAt,
  }
}

/** A user other than the measured member, whose issues are equally many in all sizes. */
function otherThanMember({ users }: World, random: Random): number {
  const { id } = random.pick(users)
  return id === member.id ? 1 : id
}

/** The first labels of a project are used the most. */
function drawLabels({ planning }: World, projectId: number, random: Random): number[] {
  const { labels = [] } = planning.get(projectId) ?? {}
  if (labels.length === 0 || random.chance(0.3)) return []
  const drawn = Array.from({ length: 1 + random.integer(3) }, () => {
    const share = random.integer(1000) / 1000
    return labels[Math.floor(share * share * labels.length)] ?? 0
  })
  return [...new Set(drawn)]
}

function drawAssignees(world: World, own: boolean, random: Random): number[] {
  if (own) return [member.id]
  if (random.chance(0.4)) return []
  const first = otherThanMember(world, random)
  const second = otherThanMember(world, random)
  return random.chance(0.1) && first !== second ? [first, second] : [first]
}
