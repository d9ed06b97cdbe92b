import { busyProject } from './measured.ts'
import { createRandom } from './random.ts'
import { epoch, inserter, minute, type World } from './world.ts'

const commonLabels = ['bug', 'feature', 'docs', 'urgent', 'question']
const milestoneTitles = ['v1', 'v2', 'v3', 'v4', 'v5']

/**
 * Labels and milestones: a few with the same titles in each project, many labels in the busy one.
 */
export function fillPlanning(world: World): void {
  const { db, size, projects, planning } = world
  const random = createRandom('planning')
  const insertLabel = inserter(db, 'labels')
  const insertMilestone = inserter(db, 'milestones')
  let labelId = 0
  let milestoneId = 0
  for (const { id: projectId } of projects) {
    const times = { createdAt: epoch + projectId * minute, updatedAt: epoch + projectId * minute }
    const owner = { projectId, groupId: null, description: null }
    const more = projectId === busyProject ? size.busyLabels - commonLabels.length : 0
    const own = Array.from({ length: Math.max(0, more) }, (_, index) => `area ${index + 1}`)
    const labels = [...commonLabels, ...own].map((title) => {
      labelId += 1
      const color = `#${random.integer(0x1000000).toString(16).padStart(6, '0')}`
      insertLabel({ id: labelId, ...owner, title, color, ...times })
      return labelId
    })
    const milestones = milestoneTitles.map((title, index) => {
      milestoneId += 1
      const dates = { startDate: null, dueDate: index === 0 ? '2025-12-31' : null }
      const state = index === 4 ? 'closed' : 'active'
      insertMilestone({
        id: milestoneId,
        ...owner,
        iid: index + 1,
        title,
        state,
        ...dates,
        ...times,
      })
      return milestoneId
    })
    planning.set(projectId, { labels, milestones })
  }
}
