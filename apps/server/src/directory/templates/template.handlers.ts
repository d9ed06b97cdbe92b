import type {
  dockerfileTemplatesContract,
  licenseTemplatesContract,
  projectTemplatesContract,
  Template,
  TemplateName,
  TemplateType,
} from '@stithy/core'
import type { Page, PageRequest } from '@stithy/store'
import type { Handlers } from '../../platform/http/call.ts'
import { slicePage } from '../../platform/http/slice-page.ts'
import {
  listLicenses,
  listTemplates,
  type PlainType,
  showLicense,
  showTemplate,
} from './template.service.ts'

interface TemplateHandlers {
  list: (call: { page: PageRequest }) => Promise<Page<TemplateName>>
  show: (call: { params: { key: string } }) => Promise<Template>
}

function handlersFor(
  type: PlainType,
): TemplateHandlers & Handlers<typeof dockerfileTemplatesContract> {
  return {
    list: async ({ page }) => slicePage(await listTemplates(type), page),
    show: ({ params }) => showTemplate(type, params.key),
  }
}

export const dockerfileTemplateHandlers = handlersFor('dockerfiles')
export const gitignoreTemplateHandlers = handlersFor('gitignores')
export const ciTemplateHandlers = handlersFor('service_ci_ymls')

export const licenseTemplateHandlers: Handlers<typeof licenseTemplatesContract> = {
  list: async ({ query, page }) => slicePage(await listLicenses(query.popular), page),

  show({ app, caller, params, query }) {
    const { project, fullname = caller.user?.name } = query
    return showLicense(app, params.key, { project, fullname })
  },
}

export const projectTemplateHandlers: Handlers<typeof projectTemplatesContract> = {
  list: async ({ params, page }) => slicePage(await listTemplates(typeOf(params.type)), page),

  show({ app, caller, subject, params, query }) {
    const type = typeOf(params.type)
    if (type !== 'licenses') return showTemplate(type, params.key)
    const { project = subject.row.name, fullname = caller.user?.name } = query
    return showLicense(app, params.key, { project, fullname })
  },
}

function typeOf(name: TemplateType | 'gitlab_ci_ymls'): TemplateType {
  return name === 'gitlab_ci_ymls' ? 'service_ci_ymls' : name
}
