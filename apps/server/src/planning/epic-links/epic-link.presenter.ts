import type { LinkedEpic } from '@stithy/core'
import type { EpicRow } from '@stithy/store'
import type { Config } from '../../platform/config/config.ts'
import { apiUrl, webUrl } from '../../platform/http/urls.ts'
import { epicPath } from '../epics/epic.presenter.ts'

/** A new child of an epic, which has neither children nor issues. */
export function presentLinkedEpic(
  config: Config,
  child: EpicRow,
  { groupId, iid }: EpicRow,
): LinkedEpic {
  return {
    id: child.id,
    iid: child.iid,
    title: child.title,
    group_id: child.groupId,
    parent_id: child.parentId,
    has_children: false,
    has_issues: false,
    reference: `&${child.iid}`,
    url: webUrl(config, epicPath(child)),
    relation_url: apiUrl(config, `groups/${groupId}/epics/${iid}/epics/${child.id}`),
  }
}
