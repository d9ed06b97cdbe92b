import { z } from 'zod'
import { visibilities } from '../access/level.ts'
import { CustomAttribute } from '../custom-attributes/custom-attribute.schema.ts'
import { Project, StorageSizes } from '../projects/project.schema.ts'

/** A group as lists show it (document 1, Group). */
export const Group = z.object({
  id: z.int(),
  name: z.string(),
  path: z.string(),
  description: z.string(),
  visibility: z.enum(visibilities),
  lfs_enabled: z.boolean(),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
  request_access_enabled: z.boolean(),
  full_name: z.string(),
  full_path: z.string(),
  /** Left out in tiers that have no file templates. */
  file_template_project_id: z.int().nullable().optional(),
  parent_id: z.int().nullable(),
  /** Of everything in the group and below it, for administrators who ask for it. */
  statistics: StorageSizes.optional(),
  custom_attributes: z.array(CustomAttribute).optional(),
})
export type Group = z.output<typeof Group>

/** A single group; `projects` and `shared_projects` are left out with `with_projects=false`. */
export const GroupDetails = Group.extend({
  shared_runners_minutes_limit: z.int().nullable().optional(),
  extra_shared_runners_minutes_limit: z.int().nullable().optional(),
  projects: z.array(Project).optional(),
  shared_projects: z.array(Project).optional(),
})
export type GroupDetails = z.output<typeof GroupDetails>
