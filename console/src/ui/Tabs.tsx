// The parts of an area, as links: each has its address.
import { NavLink } from 'react-router'

export function AreaTabs({
  label,
  tabs,
}: {
  /** What they are parts of, for who hears it. */
  readonly label: string
  readonly tabs: readonly (readonly [title: string, to: string])[]
}) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(([title, to]) => (
        <NavLink key={to} to={to} end={to.split('/').length === 2} className="tab">
          {title}
        </NavLink>
      ))}
    </nav>
  )
}
