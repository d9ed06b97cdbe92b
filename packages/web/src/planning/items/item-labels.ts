import type { LabelDetails } from '@stithy/core'
import { label } from '../../platform/design/badge.ts'
import { type Html, html } from '../../platform/html/html.ts'

type Labels = readonly (string | LabelDetails)[]

/** Labels as links; those with details have their colours. */
export function labelLinks(labels: Labels, hrefOf: (title: string) => string): Html[] {
  return labels.map(
    (each) =>
      html`${typeof each === 'string' ? label({ name: each, href: hrefOf(each) }) : label({ ...each, href: hrefOf(each.name) })} `,
  )
}

/** The titles of labels, however the API gives them. */
export function labelTitles(labels: Labels): string[] {
  return labels.map((each) => (typeof each === 'string' ? each : each.name))
}
