import { z } from 'zod'
import { visibilities } from '../../platform/access/level.ts'
import { CustomAttribute } from '../custom-attributes/custom-attribute.schema.ts'
import { Project, SharedGroup, StorageSizes } from '../projects/project.schema.ts'

/** A group in a list. */
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
  /** Omitted in tiers without file templates. */
  file_template_project_id: z.int().nullable().optional(),
  parent_id: z.int().nullable(),
  /** Totals of the group and its descendants, for administrators on request. */
  statistics: StorageSizes.optional(),
  custom_attributes: z.array(CustomAttribute).optional(),
})
export type Group = z.output<typeof Group>

/** A single group; with `with_projects=false` it has the shape of lists. */
export const GroupDetails = Group.extend({
  /** Of the members of the group, the groups above and those below. */
  require_two_factor_authentication: z.boolean().optional(),
  /** Hours. */
  two_factor_grace_period: z.int().optional(),
  shared_runners_minutes_limit: z.int().nullable().optional(),
  extra_shared_runners_minutes_limit: z.int().nullable().optional(),
  /** Groups whose members have access to the group, its subgroups and projects. */
  shared_with_groups: z.array(SharedGroup).optional(),
  projects: z.array(Project).optional(),
  shared_projects: z.array(Project).optional(),
})
export type GroupDetails = z.output<typeof GroupDetails>
