import { busyProject, itemsOfMember, member, rareWord } from './measured.ts'
import type { Random } from './random.ts'
import { sentence } from './words.ts'
import { day, epoch, inserter, type World } from './world.ts'

type ItemType = 'issue' | 'merge_request'

const year = 365 * day

/** An issue or merge request to write, and what is linked to it. */
export interface NewItem {
  id: number
  iid: number
  projectId: number
  /** Written by the measured member, who is assigned to it and gave it an award. */
  own: boolean
  createdAt: number
  labelIds: number[]
  assigneeIds: number[]
}

/**
 * Draws `total` items over a year: a large share in the busy project, a fixed number of those the
 * measured member's, most with labels or assignees.
 */
export function* drawItems(world: World, total: number, random: Random): Generator<NewItem> {
  const iids = new Map<number, number>()
  const share = busyShare(total)
  /**
   * Every `step`th item of the busy project is the measured member's, so that small and large data
   * have the same number.
   */
  const step = Math.max(1, Math.floor((total * share) / itemsOfMember))
  for (let id = 1; id <= total; id += 1) {
    const projectId = random.chance(share) ? busyProject : random.pick(world.projects).id
    const iid = (iids.get(projectId) ?? 0) + 1
    iids.set(projectId, iid)
    const own = projectId === busyProject && iid % step === 0 && iid / step <= itemsOfMember
    const labelIds = drawLabels(world, projectId, random)
    const assigneeIds = drawAssignees(world, own, random)
    const createdAt = epoch + Math.floor((id * year) / total)
    yield { id, iid, projectId, own, createdAt, labelIds, assigneeIds }
  }
}

/** A tenth, and on small data enough to fill a page with each filter. */
function busyShare(total: number): number {
  return Math.max(0.1, Math.min(0.5, 1000 / total))
}

/** Title, description and what else issues and merge requests have in common. */
export function itemColumns(world: World, item: NewItem, random: Random) {
  const { milestones = [] } = world.planning.get(item.projectId) ?? {}
  const updatedAt = item.createdAt + random.integer(30 * day)
  return {
    id: item.id,
    iid: item.iid,
    projectId: item.projectId,
    authorId: item.own ? member.id : otherThanMember(world, random),
    title: `${item.own ? `${rareWord} ` : ''}${sentence(random, 4)}`,
    description: random.chance(0.9) ? sentence(random, 6 + random.integer(12)) : null,
    discussionLocked: null,
    milestoneId: random.chance(0.4) ? random.pick(milestones) : null,
    timeEstimate: random.chance(0.2) ? 3600 * (1 + random.integer(20)) : 0,
    totalTimeSpent: random.chance(0.1) ? 1800 * (1 + random.integer(20)) : 0,
    upvotes: random.chance(0.2) ? random.integer(5) : 0,
    labelCount: item.labelIds.length,
    assigneeCount: item.assigneeIds.length,
    createdAt: item.createdAt,
    updatedAt,
  }
}

/** Writes the labels of items and the awards of the measured member. */
export function linkWriter({ db }: World, targetType: ItemType): (item: NewItem) => void {
  const insertLabel = inserter(db, 'labelLinks')
  const insertAward = inserter(db, 'awards')
  return ({ id: targetId, projectId, own, createdAt, labelIds }) => {
    const target = { targetType, targetId, projectId, createdAt }
    for (const labelId of labelIds) insertLabel({ ...target, labelId })
    if (own) insertAward({ ...target, userId: member.id, name: 'tada', updatedAt: createdAt })
  }
}

/** The tables of items, by their name in links. */
const tables = {
  issue: { items: 'issues', texts: 'issueTexts', confidential: 'i.confidential' },
  merge_request: { items: 'mergeRequests', texts: 'mergeRequestTexts', confidential: '0' },
} as const

/** What triggers and services derive from single items: search texts, next iids, label totals. */
export function deriveFromItems({ db }: World, type: ItemType): void {
  const { items, texts, confidential } = tables[type]
  db.exec(`insert into "${texts}" (rowid, title, description)
    select id, title, description from "${items}"`)
  db.exec(`insert into counters (name, value)
    select 'iid.${items}.' || "projectId", max(iid) from "${items}" group by "projectId"`)
  db.exec(`insert into "labelTotals"
      ("labelId", "projectId", "targetType", state, confidential, total)
    select l."labelId", i."projectId", '${type}', i.state, ${confidential}, count(*)
    from "labelLinks" l join "${items}" i on i.id = l."targetId"
    where l."targetType" = '${type}' group by 1, 2, 4, 5`)
}

/** A user other than the measured member, whose items are equally many in all sizes. */
export function otherThanMember({ users }: World, random: Random): number {
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
