import { z } from 'zod'
import { boolean, clearableText, paid, timestamp } from '../../platform/contract/fields.ts'
import { fullPathText } from '../../platform/contract/text-options.ts'
import {
  type SettingName,
  type Settings,
  settingAliases,
  settingNames,
  settingOf,
  type settings,
} from './settings.ts'

type Fields = { [Name in SettingName]: z.ZodOptional<(typeof settings)[Name]['field']> }
type Alias = keyof typeof settingAliases

const aliases = Object.keys(settingAliases) as Alias[]

/** The group by the path that requests name it by, while its id is what is stored. */
const groupId = 'performance_bar_allowed_group_id'

/** The parameters of `PUT /application/settings`. */
export const settingFields = {
  ...(Object.fromEntries(
    settingNames.map((name) => {
      const { field, tier } = settingOf(name)
      return [name, (tier === undefined ? field : paid(field, tier)).optional()]
    }),
  ) as Omit<Fields, typeof groupId>),
  signin_enabled: boolean().optional(),
  password_authentication_enabled: boolean().optional(),
  performance_bar_allowed_group_path: clearableText(fullPathText).optional(),
  [groupId]: clearableText(fullPathText).optional(),
  performance_bar_enabled: boolean().optional(),
}

type Shown = {
  [Name in keyof Settings]: z.ZodType<Settings[Name]>
}

/** The settings of paid features are absent in the tiers without them. */
const shown = Object.fromEntries(
  settingNames.map((name) => {
    const { schema, tier } = settingOf(name)
    return [name, tier === undefined ? schema : schema.optional()]
  }),
) as Shown

/** The instance settings. */
export const ApplicationSettings = z.object({
  id: z.literal(1),
  created_at: timestamp,
  updated_at: timestamp,
  ...shown,
  ...(Object.fromEntries(aliases.map((name) => [name, z.boolean()])) as Record<
    Alias,
    z.ZodBoolean
  >),
})
export type ApplicationSettings = z.output<typeof ApplicationSettings>
