// What VitePress's sidebar lacks for those who hear it: a group that opens and shuts is one button, and its arrow a drawing.

export function nameGroups(root: HTMLElement): void {
  for (const arrow of root.querySelectorAll('.VPSidebarItem > .item[role="button"] > .caret')) {
    for (const name of ['role', 'tabindex', 'aria-label']) arrow.removeAttribute(name)
    arrow.setAttribute('aria-hidden', 'true')
  }
}
