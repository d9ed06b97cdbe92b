import {
  fillLicense,
  type License,
  notFound,
  type Template,
  type TemplateName,
  type TemplateType,
} from '@stithy/core'
import type { App } from '../../platform/app.ts'
import { dayOf } from '../../platform/calendar/day.ts'
import { type LicenseDetails, licenseDetails } from './license-details.ts'
import { type TemplateFile, templateFiles } from './template-files.ts'

/** The types other than licenses, which have more to show. */
export type PlainType = Exclude<TemplateType, 'licenses'>

/** Names that fill the placeholders of a license. */
export interface LicenseNames {
  project?: string | undefined
  fullname?: string | undefined
}

/** Lists the templates of a type, by name. */
export async function listTemplates(type: TemplateType): Promise<TemplateName[]> {
  const files = await templateFiles(type)
  return files.map(({ key }) => ({ key, name: licenseDetails[key]?.name ?? key }))
}

/** @throws DomainError `not_found` */
export async function showTemplate(type: PlainType, key: string): Promise<Template> {
  const { content } = await requireFile(type, key, 'Template')
  return { name: key, content }
}

/** Lists licenses with their placeholders; all of them, or only popular or other ones. */
export async function listLicenses(popular: boolean | undefined): Promise<License[]> {
  const licenses = (await templateFiles('licenses')).map(presentLicense)
  return licenses.filter((license) => popular === undefined || license.popular === popular)
}

/** Shows a license with its placeholders filled. @throws DomainError `not_found` */
export async function showLicense(app: App, key: string, names: LicenseNames): Promise<License> {
  const license = presentLicense(await requireFile('licenses', key, 'License'))
  const year = dayOf(app.now()).slice(0, 4)
  return { ...license, content: fillLicense(license.content, { year, ...names }) }
}

async function requireFile(type: TemplateType, key: string, title: string): Promise<TemplateFile> {
  const file = (await templateFiles(type)).find((each) => each.key === key)
  if (file === undefined) throw notFound(title)
  return file
}

function presentLicense({ key, content }: TemplateFile): License {
  const { spdxId, ...details } = detailsOf(key)
  return {
    key,
    ...details,
    featured: details.popular,
    html_url: `https://choosealicense.com/licenses/${key}/`,
    source_url: `https://spdx.org/licenses/${spdxId}.html`,
    content,
  }
}

function detailsOf(key: string): LicenseDetails {
  const details = licenseDetails[key]
  if (details === undefined) throw new TypeError(`The license ${key} has no details`)
  return details
}
