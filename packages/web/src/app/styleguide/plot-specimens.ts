import { burndownChart } from '../../planning/milestones/burndown-chart.ts'
import { html } from '../../platform/html/html.ts'
import { backlogHistory } from '../administration/backlog-history.ts'
import { backlogPlot } from '../administration/backlog-plot.ts'
import { type Figure, figures } from '../administration/figures.ts'
import { hoursAgo } from './samples.ts'
import { type Family, type SpecimenCall, specimen } from './specimen.ts'

/** Figures, as tables and as drawings. */
export function plotSpecimens({ now }: SpecimenCall): Family {
  const server: Figure[] = [
    ['Version', '1.0'],
    ['Projects', 42],
  ]
  return {
    id: 'figures',
    title: 'Figures',
    specimens: [
      specimen('Names and values', figures('Figures of the example', server)),
      specimen('Bars', bars()),
      specimen('Over a day', history(now)),
      specimen('Burndown', burndown(now)),
    ],
  }
}

function bars() {
  return backlogPlot([
    { queue: 'mail', backlog: 12, latency: 1 },
    { queue: 'webhooks', backlog: 240, latency: 3 },
  ])
}

function history(now: number) {
  const samples = Array.from({ length: 1440 }, (_, minute) => ({
    recorded_at: hoursAgo(now, 24 - minute / 60),
    backlog: Math.round(40 + 30 * Math.sin(minute / 120)),
    latency: 1,
  }))
  const series = {
    title: 'Due jobs',
    value: ({ backlog }: { backlog: number }) => backlog,
    format: String,
  }
  return backlogHistory(samples, now, series)
}

function burndown(now: number) {
  const day = (hours: number) => hoursAgo(now, hours).slice(0, 10)
  const milestone = {
    id: 1,
    iid: 1,
    title: '1.0',
    description: null,
    state: 'active',
    created_at: hoursAgo(now, 240),
    updated_at: hoursAgo(now, 240),
    start_date: day(240),
    due_date: day(-96),
    web_url: '/',
  } as const
  const events = Array.from({ length: 16 }, (_, at) => ({
    created_at: hoursAgo(now, at < 10 ? 240 : 24 * (16 - at)),
    weight: null,
    action: at < 10 ? ('created' as const) : ('closed' as const),
  }))
  return burndownChart(milestone, events, now) ?? html``
}
