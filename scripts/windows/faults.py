# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests that fail by Wine alone, by how their names begin, each with the reason: Windows has what they need."""

_LINKS = "Wine shows a symbolic link as what it leads to"
_LONG = "Wine tells the final path of no file whose path has more than 260 letters"

FAULTS = {
    "tests/addon/test_bake_exports.py::test_an_export_replaces_an_export_and_nothing_else": _LINKS,
    "tests/addon/test_bake_saving.py::test_a_file_name_as_long_as_file_systems_take[n": _LONG,
    "tests/addon/test_overwriting.py::test_no_two_roles_are_one_file[--cache-file---output-symbolic_link": _LINKS,
    "tests/addon/test_overwriting.py::test_no_two_roles_are_one_file[--output---report-symbolic_link": _LINKS,
    "tests/addon/test_overwriting.py::test_no_two_roles_are_one_file[--report---cache-file-symbolic_link": _LINKS,
    "tests/addon/test_overwriting.py::test_no_two_roles_are_one_file[--report---output-symbolic_link": _LINKS,
    "tests/addon/test_overwriting.py::test_no_two_roles_are_one_file[FILE---cache-file-symbolic_link": _LINKS,
    "tests/addon/test_overwriting.py::test_nothing_is_replaced_but_its_own_kind[--cache-file-broken_link": _LINKS,
    "tests/addon/test_overwriting.py::test_nothing_is_replaced_but_its_own_kind[--cache-file-link": _LINKS,
    "tests/addon/test_overwriting.py::test_nothing_is_replaced_but_its_own_kind[--output-broken_link": _LINKS,
    "tests/addon/test_overwriting.py::test_nothing_is_replaced_but_its_own_kind[--output-link": _LINKS,
    "tests/addon/test_overwriting.py::test_nothing_is_replaced_but_its_own_kind[--report-broken_link": _LINKS,
    "tests/addon/test_overwriting.py::test_nothing_is_replaced_but_its_own_kind[--report-link": _LINKS,
    "tests/addon/test_overwriting.py::test_the_file_itself_may_be_the_output[through_a_linked_folder": _LINKS,
    "tests/core/test_cache_files.py::test_links_are_not_followed": _LINKS,
    "tests/core/test_cache_files.py::test_a_dangling_link_is_not_followed": _LINKS,
    "tests/core/test_file_lock.py::test_another_way_to_the_folder_is_no_way_around": _LINKS,
    "tests/core/test_file_lock.py::test_a_link_in_the_place_of_the_lock_file_is_not_followed": _LINKS,
    "tests/core/test_output_files.py::test_two_roles_are_never_one_file[symbolic_link": _LINKS,
    "tests/core/test_output_files.py::test_two_roles_are_never_one_file[through_a_linked_folder": _LINKS,
    "tests/core/test_output_files.py::test_what_is_no_regular_file_is_never_replaced[broken_link": _LINKS,
    "tests/core/test_output_files.py::test_what_is_no_regular_file_is_never_replaced[link": _LINKS,
    "tests/core/test_windows_locks.py::test_without_the_flags_of_posix_links_are_not_followed_still": _LINKS,
}
