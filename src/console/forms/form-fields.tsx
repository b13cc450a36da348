// One field of a form: its description from the OpenAPI document, its input, and its error.
import type { VNode } from 'preact'
import type { FormField } from './form-definitions.ts'
import type { Member } from './form-schema.ts'
import { labelOf } from '../records/details.tsx'
import { useChoices, type Choice } from './form-choices.ts'
import { Text, visible } from '../text.tsx'

interface FieldProps {
  readonly field: FormField
  readonly member: Member
  readonly value: string
  readonly wrong: readonly string[]
  readonly set: (value: string) => void
}

export function labelOfField({ label, path }: FormField): string {
  return label ?? labelOf(path.split('.').at(-1) ?? '')
}

export function Field({ field, member, value, wrong, set }: FieldProps): VNode {
  const id = `field-${field.path}`
  const label = labelOfField(field)
  const describedBy = [member.description === '' ? '' : `${id}-hint`, wrong.length === 0 ? '' : `${id}-wrong`]
  const common = {
    id,
    required: field.isRequired === true,
    'aria-describedby': describedBy.filter((each) => each !== '').join(' ') || undefined,
    'aria-invalid': wrong.length > 0 ? ('true' as const) : undefined,
  }
  return (
    <div class="field">
      <label for={id}>
        {label}
        {field.isRequired === true && <span class="quiet"> (required)</span>}
      </label>
      <Entry field={field} member={member} value={value} set={set} common={common} />
      {member.description !== '' && (
        <p id={`${id}-hint`} class="hint">
          {marked(member.description)}
        </p>
      )}
      {wrong.length > 0 && (
        <p id={`${id}-wrong`} class="wrong">
          {wrong.map((text) => (
            <Text key={text}>{text}</Text>
          ))}
        </p>
      )}
    </div>
  )
}

/** Renders names of members, which descriptions have between backticks, as code. */
function marked(description: string): (string | VNode)[] {
  return description.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))
}

interface EntryProps extends Pick<FieldProps, 'field' | 'member' | 'value' | 'set'> {
  readonly common: object
}

function Entry({ field, member, value, set, common }: EntryProps): VNode {
  if (field.pick !== undefined) return <Picker pick={field.pick} value={value} set={set} common={common} />
  const choose = (event: { readonly currentTarget: HTMLSelectElement }): void =>
    set([...event.currentTarget.selectedOptions].map((option) => option.value).join(' '))
  switch (member.type) {
    case 'flag':
      return (
        <select {...common} value={value} onChange={choose}>
          <option value="">as usual</option>
          <option value="true">yes</option>
          <option value="false">no</option>
        </select>
      )
    case 'choice':
      return (
        <select {...common} value={value} onChange={choose}>
          <option value="">–</option>
          {member.choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      )
    case 'choices':
      return (
        <select {...common} multiple size={Math.min(8, member.choices.length)} onChange={choose}>
          {member.choices.map((choice) => (
            <option key={choice} selected={value.split(' ').includes(choice)}>
              {choice}
            </option>
          ))}
        </select>
      )
    default:
      return (
        <input
          {...common}
          value={value}
          dir="auto"
          autocomplete="off"
          inputMode={member.type === 'integer' ? 'numeric' : undefined}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )
  }
}

interface PickerProps {
  readonly pick: NonNullable<FormField['pick']>
  readonly value: string
  readonly set: (value: string) => void
  readonly common: object
}

/** A record by name, code, address or id; matching records are offered during typing. */
function Picker({ pick, value, set, common }: PickerProps): VNode {
  const choices = useChoices(pick)
  const list = `choices-${pick}`
  return (
    <>
      <input
        {...common}
        value={shownAs(choices, value)}
        list={list}
        dir="auto"
        autocomplete="off"
        placeholder="Code, name, address or id"
        onInput={(event) => set(event.currentTarget.value)}
      />
      <datalist id={list}>
        {choices.map(({ label, id }) => (
          <option key={id} value={visible(label)} />
        ))}
      </datalist>
    </>
  )
}

/** An id from the address of the page, shown by its name. */
function shownAs(choices: readonly Choice[], value: string): string {
  const named = choices.find(({ id }) => id === value)
  return named === undefined ? value : visible(named.label)
}
