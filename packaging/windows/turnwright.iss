; The installer for Windows: `package.py` calls Inno Setup 6 with Version, Folder (the result of PyInstaller) and the output folder.
; Installs for the current user without extra rights; an administrator can choose all users.

#ifndef Version
  #error Version is missing: run packaging\package.py
#endif

#define Name "Turnwright"
#define ProgId "org.turnwright.Turnwright.encounter"

[Setup]
AppId={{6B0C2F5E-5B3B-4B57-9C3E-7B4C5A0D1E21}
AppName={#Name}
AppVersion={#Version}
AppPublisher=The Turnwright contributors
DefaultDirName={autopf}\{#Name}
DefaultGroupName={#Name}
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
LicenseFile=..\..\LICENSE
OutputBaseFilename=turnwright-{#Version}-windows-setup
SetupIconFile=..\..\build\package\folder\work\turnwright\turnwright.ico
UninstallDisplayIcon={app}\turnwright-window.exe
UninstallDisplayName={#Name}
ChangesAssociations=yes
ChangesEnvironment=yes
CloseApplications=yes
Compression=lzma2/max
SolidCompression=yes
WizardStyle=modern

[Tasks]
Name: desktopicon; Description: "A shortcut on the desktop"; Flags: unchecked
Name: opentoml; Description: "Open all .toml files with {#Name} on double-click"; Flags: unchecked
Name: path; Description: "Add the command turnwright to the PATH"; Flags: unchecked

[Files]
Source: "{#Folder}\*"; DestDir: "{app}"; Flags: recursesubdirs createallsubdirs ignoreversion

[InstallDelete]
; Remove the files of an older version.
Type: filesandordirs; Name: "{app}\_internal"

[Icons]
Name: "{group}\{#Name}"; Filename: "{app}\turnwright-window.exe"; AppUserModelID: "org.turnwright.Turnwright"
Name: "{autodesktop}\{#Name}"; Filename: "{app}\turnwright-window.exe"; AppUserModelID: "org.turnwright.Turnwright"; Tasks: desktopicon

[Registry]
; Windows only looks at the last ending, .toml, which other programs use too. Turnwright is offered for it (Open with), and
; becomes the default only if the user ticks the task.
Root: HKA; Subkey: "Software\Classes\{#ProgId}"; ValueType: string; ValueData: "Turnwright encounter"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\{#ProgId}\DefaultIcon"; ValueType: string; ValueData: "{app}\turnwright-window.exe,0"
Root: HKA; Subkey: "Software\Classes\{#ProgId}\shell\open\command"; ValueType: string; ValueData: """{app}\turnwright-window.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\.toml\OpenWithProgids"; ValueType: string; ValueName: "{#ProgId}"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.toml"; ValueType: string; ValueData: "{#ProgId}"; Flags: uninsdeletevalue; Tasks: opentoml
Root: HKA; Subkey: "Software\Classes\Applications\turnwright-window.exe\SupportedTypes"; ValueType: string; ValueName: ".toml"; ValueData: ""; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Applications\turnwright-window.exe\shell\open\command"; ValueType: string; ValueData: """{app}\turnwright-window.exe"" ""%1"""; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Turnwright"; ValueType: string; ValueName: "Folder"; ValueData: "{app}"; Flags: uninsdeletekey
Root: HKCU; Subkey: "Environment"; ValueType: expandsz; ValueName: "Path"; ValueData: "{olddata};{app}"; Flags: preservestringtype; Tasks: path; Check: IsMissingFromPath(ExpandConstant('{app}'))

[Run]
Filename: "{app}\turnwright-window.exe"; Description: "Start {#Name}"; Flags: nowait postinstall skipifsilent

[Code]
function IsMissingFromPath(Folder: string): Boolean;
var
  Path: string;
begin
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then
    Path := '';
  Result := Pos(';' + Uppercase(Folder) + ';', ';' + Uppercase(Path) + ';') = 0;
end;

procedure CurUninstallStepChanged(Step: TUninstallStep);
var
  Path, Folder: string;
  Place: Integer;
begin
  if Step <> usPostUninstall then
    exit;
  Folder := ExpandConstant('{app}');
  if not RegQueryStringValue(HKCU, 'Environment', 'Path', Path) then
    exit;
  Place := Pos(';' + Uppercase(Folder) + ';', ';' + Uppercase(Path) + ';');
  if Place = 0 then
    exit;
  if Place > 1 then
    Place := Place - 1;
  Delete(Path, Place, Length(Folder) + 1);
  RegWriteExpandStringValue(HKCU, 'Environment', 'Path', Path);
end;
