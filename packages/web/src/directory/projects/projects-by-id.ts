import type { Client } from '@stithy/client'
import type { Project } from '@stithy/core'

/** Projects by id; without those that the viewer may not see. */
export type ProjectsById = ReadonlyMap<number, Pick<Project, 'path_with_namespace'>>

/** Loads the projects that things belong to, whose ids alone the API gives: one call, or none. */
export async function loadProjectsOf(
  client: Client,
  things: readonly { project_id: number | null }[],
): Promise<ProjectsById> {
  const ids = [...new Set(things.map((thing) => thing.project_id))].filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const { items } = await client.projects.list({ ids, simple: true, per_page: 100 })
  return new Map(items.map((project) => [project.id, project]))
}
