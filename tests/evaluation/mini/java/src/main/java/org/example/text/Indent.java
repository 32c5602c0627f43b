package org.example.text;

public class Indent {
  public static String indent(String text, int by) {
    return " ".repeat(by) + text;
  }
}
