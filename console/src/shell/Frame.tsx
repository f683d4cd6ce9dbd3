// The frame around every screen: whose account and which money, where one can go, search, and who is signed in.
import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  ScrollArea,
  Text,
  Tooltip,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { AREAS } from '../areas.ts'
import { useInRecovery } from '../gateway.ts'
import { useIsLive } from '../live/events.ts'
import { signOut, useSignedIn } from '../session/session.ts'
import { Badge } from '../ui/atoms.tsx'
import { DocsLink } from '../ui/DocsLink.tsx'
import { Note } from '../ui/feedback.tsx'
import { Icon } from '../ui/Icon.tsx'
import { COMMON } from '../ui/words.ts'
import { setLanguage, useLanguage, useWords } from '../words/language.ts'
import type { Area, AreaGroup } from './area.ts'
import { Palette } from './Palette.tsx'
import { seenBy } from './seen.ts'
import { ShortcutHelp } from './ShortcutHelp.tsx'
import { useShortcuts } from './shortcuts.ts'
import { SHELL } from './words.ts'

const GROUPS: readonly AreaGroup[] = ['money', 'work', 'build', 'account']

export function Frame() {
  const w = useWords(SHELL)
  const signedIn = useSignedIn()
  const { account, isLive } = signedIn
  const [isMenuOpen, menu] = useDisclosure()
  const [opened, setOpened] = useState<'search' | 'help' | null>(null)
  const { pathname } = useLocation()
  const areas = AREAS.filter((area) => seenBy(area, signedIn))
  // a way taken closes the menu of a phone
  useEffect(() => menu.close(), [pathname])
  useGoing(areas, setOpened)
  const bar = isLive ? 0 : 28
  return (
    <>
      <a className="skip" href="#main">
        {w.skip}
      </a>
      {!isLive && (
        <aside className="test-bar" aria-label={w.testMode}>
          {w.testMode}
        </aside>
      )}
      <AppShell
        mode="static"
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
        padding={{ base: 'sm', sm: 'lg' }}
        style={{ minHeight: `calc(100vh - ${bar}px)` }}
      >
        <AppShell.Header component="div" role="region" aria-label={account?.name ?? 'Gateway'}>
          <Header
            isMenuOpen={isMenuOpen}
            onMenu={menu.toggle}
            onSearch={() => setOpened('search')}
            onHelp={() => setOpened('help')}
          />
        </AppShell.Header>
        <AppShell.Navbar p="sm" component={ScrollArea as never}>
          <nav aria-label={w.navigation}>
            {GROUPS.map((group) => (
              <NavGroup key={group} title={w[group]} areas={areas.filter((area) => area.group === group)} />
            ))}
          </nav>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1} style={{ outline: 'none' }}>
          <div style={{ maxWidth: 1240, margin: '0 auto' }}>
            <InRecovery />
            <Outlet />
          </div>
        </AppShell.Main>
      </AppShell>
      {opened === 'search' && <Palette areas={areas} onClose={() => setOpened(null)} />}
      {opened === 'help' && <ShortcutHelp areas={areas} onClose={() => setOpened(null)} />}
    </>
  )
}

/** The database is older than what was done with it: what is shown may be past, and nothing but drafts is taken. */
function InRecovery() {
  const w = useWords(SHELL)
  if (!useInRecovery()) return null
  return (
    <div style={{ marginBottom: 16 }}>
      <Note tone="bad" title={w.inRecovery}>
        {w.inRecoveryMeans} <DocsLink page="recovery">{w.inRecoveryMore}</DocsLink>
      </Note>
    </div>
  )
}

/** `/` searches, `g` and a letter goes, `?` helps. */
function useGoing(areas: readonly Area[], open: (what: 'search' | 'help') => void): void {
  const navigate = useNavigate()
  const going = areas.flatMap(({ key, path }) => (key ? [[`g ${key}`, () => void navigate(`/${path}`)] as const] : []))
  useShortcuts({ ...Object.fromEntries(going), '/': () => open('search'), '?': () => open('help') })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      open('search')
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [open])
}

function NavGroup({ title, areas }: { readonly title: string; readonly areas: readonly Area[] }) {
  if (areas.length === 0) return null
  return (
    <div style={{ marginBottom: 14 }}>
      <Text size="xs" fw={650} c="dimmed" px={12} pb={4}>
        {title}
      </Text>
      {areas.map((area) => (
        <NavEntry key={area.path} of={area} />
      ))}
    </div>
  )
}

function NavEntry({ of: { path, title, icon, useCount = noCount } }: { readonly of: Area }) {
  const language = useLanguage()
  const count = useCount()
  return (
    <NavLink to={`/${path}`} end={path === ''} className="nav-link">
      <Icon name={icon} />
      <span style={{ flex: 1 }}>{title[language].title}</span>
      {count !== '' && <Badge tone="warn">{count}</Badge>}
    </NavLink>
  )
}

const noCount = () => ''

type HeaderProps = {
  readonly isMenuOpen: boolean
  readonly onMenu: () => void
  readonly onSearch: () => void
  readonly onHelp: () => void
}

function Header({ isMenuOpen, onMenu, onSearch, onHelp }: HeaderProps) {
  const w = useWords(SHELL)
  const c = useWords(COMMON)
  const { account, isLive } = useSignedIn()
  const isFollowing = useIsLive()
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap" gap="sm">
      <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
        <Burger opened={isMenuOpen} onClick={onMenu} hiddenFrom="sm" size="sm" aria-label={w.menu} />
        <Text fw={650} truncate>
          {account?.name ?? 'Gateway'}
        </Text>
        <Badge tone={isLive ? 'good' : 'warn'}>{isLive ? c.live : c.test}</Badge>
      </Group>
      <Button
        variant="default"
        onClick={onSearch}
        leftSection={<Icon name="search" size={16} />}
        rightSection={<Kbd size="xs">/</Kbd>}
        c="dimmed"
        fw={400}
        styles={{ label: { flex: 1, textAlign: 'left' } }}
        visibleFrom="sm"
        w={320}
        justify="space-between"
      >
        {w.search}
      </Button>
      <Group gap={4} wrap="nowrap">
        <ActionIcon variant="subtle" c="dimmed" hiddenFrom="sm" aria-label={w.search} onClick={onSearch} size="lg">
          <Icon name="search" />
        </ActionIcon>
        <Tooltip label={isFollowing ? w.live : w.notLive}>
          <span
            role="img"
            aria-label={isFollowing ? w.live : w.notLive}
            style={{
              width: 9,
              height: 9,
              borderRadius: '50%',
              margin: '0 6px',
              background: isFollowing ? '#2c9a55' : 'var(--line)',
            }}
          />
        </Tooltip>
        <UserMenu onHelp={onHelp} />
      </Group>
    </Group>
  )
}

function UserMenu({ onHelp }: { readonly onHelp: () => void }) {
  const w = useWords(SHELL)
  const navigate = useNavigate()
  const { member } = useSignedIn()
  return (
    <Menu width={260} position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" c="dimmed" size="lg" aria-label={`${w.you}: ${member.email}`}>
          <Icon name="user" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {member.name ?? member.email} · {member.role}
        </Menu.Label>
        <Menu.Item leftSection={<Icon name="shield" size={16} />} onClick={() => void navigate('/you')}>
          {w.you}
        </Menu.Item>
        <Menu.Item
          leftSection={<Icon name="book" size={16} />}
          component="a"
          href="/docs/"
          target="_blank"
          rel="noreferrer"
        >
          {w.docs}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="list" size={16} />} onClick={onHelp} rightSection={<Kbd size="xs">?</Kbd>}>
          {w.shortcuts}
        </Menu.Item>
        <Menu.Divider />
        <Looks />
        <Menu.Divider />
        <Menu.Item onClick={signOut}>{w.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const LANGUAGES = [
  ['en', 'English'],
  ['fil', 'Filipino'],
] as const

/** Light or dark, and the language: chosen without leaving the menu. */
function Looks() {
  const w = useWords(SHELL)
  const language = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const chosen = (isChosen: boolean) => (isChosen ? <Icon name="check" size={14} /> : null)
  const schemes = [['light', w.light] as const, ['dark', w.dark] as const, ['auto', w.system] as const]
  return (
    <>
      <Menu.Label>{w.theme}</Menu.Label>
      {schemes.map(([scheme, title]) => (
        <Menu.Item
          key={scheme}
          closeMenuOnClick={false}
          rightSection={chosen(colorScheme === scheme)}
          onClick={() => setColorScheme(scheme)}
        >
          {title}
        </Menu.Item>
      ))}
      <Menu.Label>{w.language}</Menu.Label>
      {LANGUAGES.map(([each, name]) => (
        <Menu.Item
          key={each}
          lang={each}
          closeMenuOnClick={false}
          rightSection={chosen(language === each)}
          onClick={() => setLanguage(each)}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  )
}
